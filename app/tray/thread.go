package tray

import "runtime"

// Unpin gives the main goroutine back its freedom. The tray library binds it to
// the main thread as soon as it is linked in, which makes every other command
// of the program slower; macOS alone needs that thread. It is called from main,
// first of all.
func Unpin() {
	if runtime.GOOS != "darwin" {
		runtime.UnlockOSThread()
	}
}

// pin binds the goroutine that shows the tray to its thread, whose messages the
// tray of Windows lives on.
func pin() (unpin func()) {
	if runtime.GOOS != "windows" {
		return func() {}
	}
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
