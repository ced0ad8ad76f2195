import AgendaCommands
run()
