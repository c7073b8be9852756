import type { Place, Word } from './words.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The script that completes the command's words in a shell. Where no word fits, the shell completes names of files. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return writers[shell](places)
}

// Each script walks along the words before the cursor, as long as they name commands, and then offers what may follow.

const writers: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: (places) => `_sotto() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} place= commands= options= values= at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$place \${COMP_WORDS[at]}" in
      ${patternOf(places)}) place="$place \${COMP_WORDS[at]}" ;;
    esac
  done
  case $place in
${places.map((place) => `    ${quoted(keyOf(place))}) commands=${textsOf(place.subcommands)} options=${textsOf(place.options)} values=${quoted(place.withValue.join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=()
  case " $values " in *" $before "*) return ;; esac
  case $word in -*) commands=$options ;; esac
  COMPREPLY=($(compgen -W "$commands" -- "$word"))
}
complete -o bashdefault -o default -F _sotto sotto
`,
  zsh: (places) => `#compdef sotto
_sotto() {
  local place= word
  local -a commands options values
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      (${patternOf(places)}) place="$place $word" ;;
    esac
  done
  case $place in
${places.map((place) => `    (${quoted(keyOf(place))}) commands=(${described(place.subcommands)}) options=(${described(place.options)}) values=(${place.withValue.map(quoted).join(' ')}) ;;`).join('\n')}
  esac
  if (( \${values[(Ie)\${words[CURRENT-1]}]} )); then _files
  elif [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
compdef _sotto sotto
`,
  fish: (places) => `function __sotto_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
      case ${fishPatterns(places)}
        set place "$place $word"
    end
  end
  test "$place" = "$argv[1]"
end
${places.flatMap(fishLines).join('\n')}
`,
}

/** A place as the scripts remember it: each of its words behind a space. */
function keyOf({ path }: Place): string {
  return path === '' ? '' : ` ${path}`
}

function patternOf(places: readonly Place[]): string {
  return below(places).map(quoted).join(' | ')
}

function fishPatterns(places: readonly Place[]): string {
  return below(places).map(fishQuoted).join(' ')
}

function below(places: readonly Place[]): readonly string[] {
  return places.map(keyOf).filter((key) => key !== '')
}

function textsOf(words: readonly Word[]): string {
  return quoted(words.map(({ text }) => text).join(' '))
}

/** The words for zsh, which separates a word from its phrase with a colon. */
function described(words: readonly Word[]): string {
  return words.map(({ text, about }) => quoted(`${text}:${about}`)).join(' ')
}

function fishLines(place: Place): readonly string[] {
  const at = `complete -c sotto -n ${fishQuoted(`__sotto_at ${fishQuoted(keyOf(place))}`)}`
  return [
    ...place.subcommands.map(({ text, about }) => `${at} -f -a ${text} -d ${fishQuoted(about)}`),
    ...place.options.map(({ text, about }) => {
      const takes = place.withValue.includes(text) ? ' -r' : ''
      return `${at} -l ${text.slice(2)}${takes} -d ${fishQuoted(about)}`
    }),
  ]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
