package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/peer"
)

// stopWait is how long the service has to end what it does.
const stopWait = 30 * time.Second

// Quit asks the service that runs to end, and waits until it has. It gives its
// process; 0: none runs.
func Quit(ctx context.Context, folder, version string) (pid int, err error) {
	client, err := peer.Dial(ctx, peer.DialOptions{Folder: folder, Role: peer.Service, Version: version})
	if errors.Is(err, peer.ErrNotRunning) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer client.Close()
	pid = client.Hello().PID
	if err := client.Call(ctx, "quit", nil, nil); err != nil && !errors.Is(err, peer.ErrGone) {
		return 0, err
	}
	select {
	case <-client.Ended():
		return pid, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(stopWait):
		return 0, fmt.Errorf("the service (process %d) was told to end and did not within %s", pid, stopWait)
	}
}
