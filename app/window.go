package app

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"

	"github.com/pkg/browser"
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/mac"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"recollect/frontend"
	"recollect/internal/service"
)

// explained writes what is wrong as JSON: Wails' page makes an Error out of it,
// whose message can only be a text.
func explained(err error) any {
	text, marshalErr := json.Marshal(service.Explain(err))
	if marshalErr != nil {
		return err.Error()
	}
	return string(text)
}

// window shows the page until the person closes it.
func window(b *Bridge, icon []byte) error {
	err := wails.Run(&options.App{
		Title:            "Recollect",
		Width:            1180,
		Height:           760,
		MinWidth:         480,
		MinHeight:        400,
		BackgroundColour: options.NewRGB(0x80, 0x80, 0x84),
		AssetServer:      &assetserver.Options{Assets: frontend.Assets(), Middleware: guarded(os.Getenv)},
		OnStartup:        func(ctx context.Context) { b.appear(wailsShell{ctx}) },
		OnShutdown:       func(context.Context) { _ = b.close() },
		Bind:             []any{b},
		ErrorFormatter:   explained,
		// The page shows what transcripts and plug-ins say. Nothing of it may be
		// dropped into the window or looked up elsewhere.
		EnableFraudulentWebsiteDetection: false,
		DragAndDrop:                      &options.DragAndDrop{DisableWebViewDrop: true},
		Linux: &linux.Options{
			ProgramName: "Recollect",
			Icon:        icon,
			// With any other policy the window stays white on some drivers, starts
			// later and takes a third more memory.
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever,
		},
		Mac:     &mac.Options{TitleBar: mac.TitleBarDefault()},
		Windows: &windows.Options{Theme: windows.SystemDefault},
	})
	if cerr := b.close(); err == nil {
		err = cerr
	}
	return err
}

// guarded sends the policy of the page with all that is served, also with what is
// no page: the page says the same of itself, but only a header says who may frame
// it.
func guarded(getenv func(string) string) assetserver.Middleware {
	if getenv("frontenddevserverurl") != "" {
		return nil // of builds for development: Vite's page has a policy of its own
	}
	policy := frontend.Policy()
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			next.ServeHTTP(w, r)
		})
	}
}

// wailsShell is the window itself.
type wailsShell struct{ ctx context.Context }

var _ shell = wailsShell{}

func (w wailsShell) emit(event string, data any) { runtime.EventsEmit(w.ctx, event, data) }

func (w wailsShell) raise() {
	runtime.WindowUnminimise(w.ctx)
	runtime.WindowShow(w.ctx)
}

func (w wailsShell) pickFolder(title string) (string, error) {
	return runtime.OpenDirectoryDialog(w.ctx, runtime.OpenDialogOptions{Title: title, CanCreateDirectories: true})
}

func (w wailsShell) pickFile(title, pattern, kind string) (string, error) {
	return runtime.OpenFileDialog(w.ctx, runtime.OpenDialogOptions{
		Title: title, Filters: []runtime.FileFilter{{DisplayName: kind, Pattern: pattern}},
	})
}

func (w wailsShell) open(path string) error { return browser.OpenFile(path) }

// errNoWindow says that a dialog was asked for before the window was there.
var errNoWindow = errors.New("the window is not there yet")
