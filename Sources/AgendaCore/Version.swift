/// One version number for `--version`, the documents and the store.
package let agendaVersion = "0.1.0"
