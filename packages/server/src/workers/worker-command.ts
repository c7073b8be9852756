/** The word after the command's name by which the primary starts a worker. It is no command: a person cannot use it. */
export const workerCommand = 'serve-worker'
