// Command proveit replays, from files on disk alone, whether what an AI agent declared follows from the receipts that it cites.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/ark-forge/proveit/cmd/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := cli.Main(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv})
	stop()
	os.Exit(code)
}
