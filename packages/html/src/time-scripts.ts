import { languageFacts } from '@sotto/texts'
import { dateTimeFields } from './localized.ts'

// Parts for the scripts of pages, as those of script.ts: what has to do with time.

const { timeZoneName: _, ...localFields } = dateTimeFields

/**
 * Times are written again in the reader's own time zone, which is named in their titles only. A browser takes milliseconds to make a formatter:
 * each is made when it is needed, that of a title when somebody points at the time.
 */
export const localTimes = timesScript()

/** What joins a day and an hour, by language, where it is not that of Latin script. */
const commas = Object.fromEntries(
  Object.entries(languageFacts).flatMap(([tag, { comma }]) => (comma === ', ' ? [] : [[tag, comma]])),
)

/** The script of a page that has times by their day. */
export const dayTimes = timesScript(`
  let words
  const comma = ${JSON.stringify(commas)}[lang] || ', '
  const { year, ...ofYear } = local
  const thisYear = formatOf(ofYear)
  const midnight = (date) => new Date(date).setHours(0, 0, 0, 0)
  texts.day = (date) => {
    const now = new Date()
    const days = Math.round((midnight(date) - midnight(now)) / 864e5)
    if (Math.abs(days) > 1) return (date.getFullYear() === now.getFullYear() ? thisYear : texts.local)(date)
    words ??= new Intl.RelativeTimeFormat(own, { numeric: 'auto' })
    return words.format(days, 'day') + comma + texts.hour(date)
  }
`)

function timesScript(more = ''): string {
  return `
try {
  const lang = document.documentElement.lang
  const own = navigator.languages.find((tag) => tag.split('-')[0] === lang) || lang
  const formatOf = (fields, made) => (date) => (made ??= new Intl.DateTimeFormat(own, fields).format)(date)
  const local = ${JSON.stringify(localFields)}
  const { hour, minute } = local
  const texts = { zoned: formatOf({ ...local, timeZoneName: 'short' }), local: formatOf(local), hour: formatOf({ hour, minute }) }
  ${more}
  for (const time of document.querySelectorAll('time')) {
    const date = new Date(time.dateTime)
    const text = texts[Object.keys(time.dataset)[0]]
    if (text) time.textContent = text(date)
    time.onmouseover = () => { time.title = texts.zoned(date) }
  }
} catch {}
`
}

/** Shows an element once its seconds are over, also when the device slept meanwhile. */
export const shownLater = `
for (const later of document.querySelectorAll('[data-after]')) {
  const from = Date.now() + later.dataset.after * 1e3
  const timer = setInterval(() => {
    if (Date.now() < from) return
    clearInterval(timer)
    later.hidden = false
  }, 1e3)
}
`

/** How long the files of a page can still be saved, by the minute. When that is over, nothing leads to them any more. */
export const timeLeft = `
for (const left of document.querySelectorAll('[data-left]')) {
  const end = Date.now() + left.dataset.left * 1e3
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang)
  const timer = setInterval(() => {
    const minutes = Math.ceil((end - Date.now()) / 6e4)
    if (minutes > 0) return left.textContent = words.format(minutes, 'minute')
    clearInterval(timer)
    left.parentElement.textContent = left.dataset.over
    for (const link of document.querySelectorAll('.files a')) link.remove()
  }, 1e4)
}
`
