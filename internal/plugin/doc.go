// Package plugin runs plug-ins: WebAssembly that judges what is worth keeping
// and what is worth showing, and that nobody has to trust.
//
//   - A [Package] is what an author ships: a manifest and a module.
//   - The [Library] keeps the packages of a person and what was approved of them.
//   - A [Host] runs them. It compiles a module when it is first called, in a
//     child process if others made it, gives every call an instance that is as
//     new and answers what the plug-in asks. The child is the same program: it
//     must call [RunChild] before anything else.
//   - [Extractor], [Schema] and [Policy] let the use-cases call plug-ins without
//     knowing that they are any.
//
// Whatever a plug-in does ends in an answer or in an [Error] with its name in
// it. It is the only package that imports wazero.
package plugin
