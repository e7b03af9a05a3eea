package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"recollect/internal/config"
	"recollect/internal/engine"
)

type configCmd struct {
	Get  configGetCmd  `cmd:"" help:"Print a setting, or all of them."`
	List configListCmd `cmd:"" help:"Say what each setting is, what it may be and where its value comes from."`
	Set  configSetCmd  `cmd:"" help:"Change a setting."`
}

type configGetCmd struct {
	Key string `arg:"" optional:"" help:"The setting, for example inject.budget or plugins.ID."`
}

// Run implements the command.
func (c *configGetCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	if c.Key != "" {
		if c.Key, err = settingKey(e, c.Key); err != nil {
			return err
		}
		value, err := e.Setting(c.Key)
		if err != nil {
			return err
		}
		return a.print(value, func(w io.Writer) { asItIs(w, compact(value)+"\n") })
	}
	values := map[string]any{}
	for _, k := range config.Keys() {
		if values[k], err = e.Setting(k); err != nil {
			return err
		}
	}
	return a.print(values, func(w io.Writer) {
		for _, k := range config.Keys() {
			fmt.Fprintf(w, "%s = %s\n", k, compact(values[k]))
		}
	})
}

type configListCmd struct{}

// Run implements the command.
func (c *configListCmd) Run(a *app) error {
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	views, err := e.Settings()
	if err != nil {
		return err
	}
	return a.print(views, func(w io.Writer) {
		for _, v := range views {
			fmt.Fprintf(w, "%s = %s (%s)\n    %s%s\n", v.Name, plain(compact(v.Value)), v.From, v.Doc, allowed(v.Key))
			if v.Asked != nil {
				fmt.Fprintf(w, "    the project asks for %s, which waits for your yes: recollect trust\n", short(plain(string(v.Asked)), 200))
			}
		}
	})
}

// allowed says what a setting takes, in brackets.
func allowed(k config.Key) string {
	switch {
	case len(k.Choices) > 0:
		return " [" + strings.Join(k.Choices, ", ") + "]"
	case k.Min != nil && k.Max != nil:
		return fmt.Sprintf(" [%.0f to %.0f]", *k.Min, *k.Max)
	case k.Kind == config.Bool:
		return " [true, false]"
	}
	return ""
}

type configSetCmd struct {
	Key    string `arg:"" help:"The setting."`
	Value  string `arg:"" optional:"" help:"The value: a word, a number, words between commas for a list, or JSON."`
	Unset  bool   `help:"Take the setting out, so that the default holds."`
	User   bool   `xor:"where" help:"For all your projects, not only this one."`
	Shared bool   `xor:"where" help:"In the project's own file, which others get with it: with them it waits for their yes."`
}

type setAnswer struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"` // null: it is set no longer
	File  string          `json:"file"`
}

// Run implements the command.
func (c *configSetCmd) Run(a *app) error {
	if c.Unset == (c.Value != "") {
		return usagef("give either a value or --unset")
	}
	e, err := a.open(historyFlags{})
	if err != nil {
		return err
	}
	defer e.Close()
	if key, err := settingKey(e, c.Key); err == nil {
		c.Key = key
	} else if !c.Unset {
		return err // what is not here any more can be taken out
	}
	var value json.RawMessage
	if !c.Unset {
		if c.Value, err = pluginValue(e, c.Key, c.Value); err != nil {
			return err
		}
		if value, err = config.Parse(c.Key, c.Value); err != nil {
			return usage(err)
		}
	}
	file, err := e.SetSetting(a, c.Key, value, c.where())
	if err != nil {
		return err
	}
	a.noteOther(e, c.Key, value)
	return a.print(setAnswer{c.Key, value, file}, func(w io.Writer) {
		if c.Unset {
			fmt.Fprintf(w, "%s is no longer set in %s\n", c.Key, file)
		} else {
			fmt.Fprintf(w, "%s = %s in %s\n", c.Key, value, file)
		}
	})
}

// settingKey is a setting as a person named it: of a plug-in by any of its names.
func settingKey(e *engine.Engine, key string) (string, error) {
	name, found := strings.CutPrefix(key, pluginKeys)
	if !found {
		return key, nil
	}
	id, err := e.FindPlugin(name)
	return pluginKeys + id, err
}

// pluginKeys begins the settings that hold a plug-in's configuration.
const pluginKeys = "plugins."

// pluginValue is the value of a setting with the ids of the plug-ins that it names.
func pluginValue(e *engine.Engine, key, value string) (string, error) {
	var names []string
	switch {
	case key == "schema", key == "policy":
		names = []string{value}
	case key == "extractors":
		if json.Unmarshal([]byte(value), &names) != nil {
			names = strings.Split(value, ",")
		}
	}
	for i := range names {
		id, err := e.FindPlugin(strings.Trim(names[i], " \""))
		if err != nil {
			return "", err
		}
		names[i] = id
	}
	if len(names) == 0 {
		return value, nil
	}
	return strings.Join(names, ","), nil
}

// where says whose settings are meant; "": what suits the setting.
func (c *configSetCmd) where() config.Origin {
	switch {
	case c.User:
		return config.User
	case c.Shared:
		return config.Project
	}
	return ""
}

// noteOther tells that another value than the one that was set holds here, or that
// one holds although it was taken out.
func (a *app) noteOther(e *engine.Engine, key string, set json.RawMessage) {
	value, err := e.Setting(key)
	if err != nil {
		return
	}
	b, err := json.Marshal(value)
	switch from := e.SettingFrom(key); {
	case err != nil:
	case set == nil && from == config.User:
		a.note("note: %s is set in your own settings too; --user takes it out there", key)
	case set != nil && from == config.Project && string(config.Canonical(b)) != string(config.Canonical(set)):
		a.note("note: in this project %s stays %s, for its own settings say so", key, plain(compact(value)))
	}
}

// compact is a value as one line: a text without its quotes.
func compact(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	b, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
