package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ark-forge/proveit/canon"
	"github.com/ark-forge/proveit/verify/conformance"
)

// question is what another verifier reads on standard input.
type question struct {
	Format   string            `json:"format"`
	Case     string            `json:"case"`
	Question string            `json:"question"`
	Folder   string            `json:"folder"` // absolute
	Input    map[string]string `json:"input"`  // paths are absolute
}

// otherAnswer asks another program: one process for each case.
func (a *app) otherAnswer(dir string, command []string) func(conformance.Case) (conformance.Answer, error) {
	return func(c conformance.Case) (conformance.Answer, error) {
		root, err := filepath.Abs(dir)
		if err != nil {
			return conformance.Answer{}, err
		}
		b, err := json.Marshal(questionOf(root, c))
		if err != nil {
			return conformance.Answer{}, err
		}
		out, err := converse(a.env("PATH"), command, append(b, '\n'))
		if err != nil {
			return conformance.Answer{}, err
		}
		v, err := canon.ParseStrict("answer", out)
		if err != nil {
			return conformance.Answer{}, err
		}
		return conformance.ParseAnswer("answer", v)
	}
}

// questionOf is the question of a case of the suite in a folder.
func questionOf(root string, c conformance.Case) question {
	q := question{"proveit.conformance.request/v1", c.Name, c.Question, filepath.Join(root, c.Name), map[string]string{}}
	for _, in := range c.Input {
		q.Input[in.Name] = placed(root, c.Name, in)
	}
	return q
}

// converse starts a program with the request as its standard input and gives what it prints, up to maxInput bytes. Its exit code is not looked at: the answer
// carries the code. Package os/exec stays out of the program, so that nothing else can come to start anything.
func converse(path string, command []string, request []byte) ([]byte, error) {
	program, err := lookUp(path, command)
	if err != nil {
		return nil, err
	}
	in, feed, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer feed.Close()
	answer, out, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer answer.Close()
	p, err := os.StartProcess(program, command, &os.ProcAttr{Files: []*os.File{in, out, os.Stderr}})
	in.Close()
	out.Close()
	if err != nil {
		return nil, fmt.Errorf("--command: %w", readError(program, err))
	}
	// A request is smaller than what a pipe holds, so that a program which never reads does not stop this one.
	_, writeErr := feed.Write(request)
	feed.Close()
	b, err := io.ReadAll(io.LimitReader(answer, maxInput))
	answer.Close()
	state, waitErr := p.Wait()
	if err := errors.Join(err, waitErr); err != nil {
		return nil, err
	}
	if len(b) == 0 {
		return nil, fmt.Errorf("%s: found no answer (%s), want one JSON document", program, errors.Join(errors.New(state.String()), writeErr))
	}
	return b, nil
}

// lookUp finds the program of a command by its path, or by its name in PATH.
func lookUp(path string, command []string) (string, error) {
	if len(command) == 0 {
		return "", errors.New("--command: found nothing, want a program")
	}
	name := command[0]
	if strings.ContainsRune(name, filepath.Separator) {
		if !executable(name) {
			return "", fmt.Errorf("--command: found no program %s", name)
		}
		return name, nil
	}
	for _, dir := range filepath.SplitList(path) {
		if file := filepath.Join(dir, name); executable(file) {
			return file, nil
		}
	}
	return "", fmt.Errorf("--command: found no program %s in PATH", name)
}

func executable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
