// Package plugintest is for tests of what runs plug-ins.
package plugintest
