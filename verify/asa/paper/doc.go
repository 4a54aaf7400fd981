// Package paper audits the paper that defines service agreements: its samples through the same code as any audit, its tables and sentences
// from their own assumptions. The findings are "asa/P01/composite" to "asa/P29/no-key".
package paper
