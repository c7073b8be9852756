import type { Letter } from './letter.ts'

/**
 * A letter as HTML. It loads nothing and shows nothing to whoever sent it. Styles are inline, because many readers remove sheets; text and
 * surface have the reader's own colours, so that dark mode is its choice, and the button's are the same in both modes.
 */
export function htmlOf(letter: Letter): string {
  const { language, direction, subject } = letter
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:0">
<div lang="${language}" dir="${direction}" style="${styles.letter}">
${contentOf(letter)}
</div>
</body>
</html>
`
}

// Double quotes end an attribute, so names of fonts have single ones.
const styles = {
  letter:
    "max-width:36em;margin:0 auto;padding:24px 20px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5",
  name: 'margin:0 0 20px;font-weight:600;opacity:0.75',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  paragraph: 'margin:0 0 16px',
  facts: 'margin:0 0 20px;border-collapse:collapse',
  term: 'padding:4px 0;padding-inline-end:20px;text-align:start;vertical-align:top;font-weight:400;opacity:0.75',
  value: 'padding:4px 0;text-align:start;vertical-align:top;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:10px 18px;border-radius:6px;background:#0e5f57;color:#ffffff;font-weight:600;text-decoration:none',
  address: 'margin:0 0 16px;font-size:14px;overflow-wrap:anywhere',
  rule: 'border:0;border-top:1px solid #8a8f90;margin:24px 0 12px',
  note: 'margin:0 0 8px;font-size:14px;overflow-wrap:anywhere;opacity:0.8',
}

function contentOf({ name, heading, paragraphs, facts, action, notes }: Letter): string {
  return [
    `<p style="${styles.name}"><bdi>${escaped(name)}</bdi></p>`,
    `<h1 style="${styles.heading}">${escaped(heading)}</h1>`,
    ...paragraphs.map((text) => `<p style="${styles.paragraph}">${escaped(text)}</p>`),
    ...factsTable(facts),
    ...buttonOf(action),
    ...(notes.length > 0 ? [`<hr style="${styles.rule}">`] : []),
    ...notes.map((text) => `<p style="${styles.note}">${escaped(text)}</p>`),
  ].join('\n')
}

function factsTable(facts: Letter['facts']): readonly string[] {
  if (facts.length === 0) return []
  const rows = facts.map(
    ({ term, value }) =>
      `<tr><th scope="row" style="${styles.term}">${escaped(term)}</th><td style="${styles.value}"><bdi>${escaped(value)}</bdi></td></tr>`,
  )
  return [`<table style="${styles.facts}">`, ...rows, '</table>']
}

/** The address is readable too, for whoever copies it and for whoever looks before a click. */
function buttonOf(action: Letter['action']): readonly string[] {
  if (action === undefined) return []
  const url = escaped(action.url)
  return [
    `<p style="${styles.paragraph}"><a href="${url}" style="${styles.button}">${escaped(action.text)}</a></p>`,
    `<p style="${styles.address}"><a href="${url}" dir="ltr" style="color:inherit">${url}</a></p>`,
  ]
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
