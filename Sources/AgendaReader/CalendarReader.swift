internal import AgendaCore
