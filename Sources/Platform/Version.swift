/// The version of both programs, their documents and their package.
package let agendaVersion = "0.1.0"
