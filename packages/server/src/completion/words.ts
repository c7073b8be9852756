import type { Command } from 'commander'

/** What may come next on a command line. */
export interface Word {
  readonly text: string
  /** A short phrase, for shells that show one. */
  readonly about: string
}

/** What may come after a command. */
export interface Place {
  /** The words that lead to it, such as `account create`; empty for the program itself. */
  readonly path: string
  readonly subcommands: readonly Word[]
  readonly options: readonly Word[]
  /** The options that take a value. */
  readonly withValue: readonly string[]
}

/** Every place of a program, as commander knows its commands and options. */
export function placesOf(command: Command, path: readonly string[] = []): readonly Place[] {
  const options = command.createHelp().visibleOptions(command)
  const place: Place = {
    path: path.join(' '),
    subcommands: command.commands.map((each) => wordOf(each.name(), each.summary() || each.description())),
    options: options.map(({ long, description }) => wordOf(long ?? '', description)),
    withValue: options.flatMap(({ long, required }) => (required ? [long ?? ''] : [])),
  }
  return [place, ...command.commands.flatMap((each) => placesOf(each, [...path, each.name()]))]
}

function wordOf(text: string, description: string): Word {
  return { text, about: description.split(/[.:;(\n]/, 1)[0]?.trim() ?? '' }
}
