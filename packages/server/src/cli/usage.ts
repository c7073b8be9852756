import type { Command, CommanderError, Option } from 'commander'

/**
 * The message for wrong usage. Commander's own messages repeat what was typed, which may be a password in the wrong place. This one
 * repeats a name only if it looks like the name of an option or command.
 */
export function usageText(error: CommanderError, program: Command, args: readonly string[]): string {
  return `${sentenceOf(error)} (see: ${pathOf(program, args)} --help)`
}

function sentenceOf({ code, message }: CommanderError): string {
  switch (code) {
    case 'commander.excessArguments':
      return 'there are too many arguments'
    case 'commander.unknownOption':
    case 'commander.unknownCommand':
      return named(message)
    case 'commander.invalidArgument':
      return message
        .replace(/^error: /, '')
        .replace(/^(option '[^']*') argument '.*' is invalid\.(?= [^']*$)/s, '$1')
        .replace(/^command-argument value '.*' is invalid for argument '([\w-]+)'\.(?= [^']*$)/s, '$1')
    default:
      return message.replace(/^error: /, '')
  }
}

function named(message: string): string {
  const [, what = '', name = ''] = /^error: unknown (option|command) '([^'=]*)/.exec(message) ?? []
  const shown = /^(?:--)?[a-z][a-z-]{1,19}$/.test(name) ? ` ${name}` : ''
  const suggestion = /\(Did you mean (?:one of )?([a-z, -]+)\?\)/.exec(message)?.[1]
  return `there is no ${what}${shown}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`
}

/** The words of the command line that name a command, as far as they are known. */
function pathOf(program: Command, args: readonly string[]): string {
  let command = program
  const path = [program.name()]
  for (const word of args) {
    const next = command.commands.find((candidate) => candidate.name() === word)
    if (next === undefined) break
    command = next
    path.push(word)
  }
  return path.join(' ')
}

/**
 * Commander itself reports a missing option before it looks for unknown ones, so it calls an option missing whose name was misspelt.
 */
export function requireOptionsLate(program: Command): void {
  const required = new Map<Command, readonly Option[]>()
  const visit = (command: Command): void => {
    required.set(
      command,
      command.options.filter(({ mandatory }) => mandatory),
    )
    for (const option of command.options) option.makeOptionMandatory(false)
    command.commands.forEach(visit)
  }
  visit(program)
  program.hook('preAction', (_program, command) => {
    for (const option of required.get(command) ?? []) {
      if (command.getOptionValue(option.attributeName()) === undefined) {
        const message = `error: required option '${option.flags}' not specified`
        command.error(message, { code: 'commander.missingMandatoryOptionValue' })
      }
    }
  })
}
