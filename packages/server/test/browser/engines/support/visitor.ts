import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoted, type Driver } from './driver.ts'

/** Somebody in front of a window: finds things by what they are called, does something, and waits for what comes of it. */
export interface Visitor {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  /** Presses a button that leads to another page, or to the same one again: that of a row with this text, if one is given. */
  press(button: string, inRow?: string): Promise<void>
  /** Follows a link. */
  follow(link: string): Promise<void>
  /** Presses a button, opens a disclosure or ticks a box on the page, which stays. */
  click(name: string, inRow?: string): Promise<void>
  /** Replaces what a field has. */
  fill(label: string, text: string): Promise<void>
  /** Chooses an option of a field. */
  select(label: string, option: string): Promise<void>
  /** Chooses files with the window of the system. */
  attach(label: string, paths: readonly string[]): Promise<void>
  /** Saves what a button or link saves, and returns its content. The page stays. */
  save(control: string, name: string): Promise<Buffer>
  /** Waits until the page says this, in a text that can be seen. */
  sees(text: string | RegExp): Promise<void>
  /** The text of an element. */
  textOf(selector: string): Promise<string>
  /** What a field has. */
  valueOf(label: string): Promise<string>
  /** Whether the page has a control of this name that can be seen. */
  has(name: string): Promise<boolean>
  /** The text in the clipboard. */
  pasted(): Promise<string>
  evaluate(expression: string): Promise<unknown>
}

const fields = 'input, select, textarea'
const controls = 'button, summary, a, label'

export function visitorOf(driver: Driver): Visitor {
  const shownText = async () => String(await driver.evaluate('document.body.innerText'))
  const find = async (found: string): Promise<string> => {
    const expression = `(() => { ${finding}; return ${found} })()`
    await until(
      () => driver.evaluate(`Boolean(${expression})`),
      async () => `${found} is not in: ${await shownText()}`,
    )
    return expression
  }
  const control = (selector: string, name: string, inRow = '') =>
    find(`named(${[selector, name, inRow].map(quoted).join()})`)
  const press = async (element: string): Promise<void> => {
    const { x, y } = (await driver.evaluate(`(() => { ${finding}; return middleOf(${element}) })()`)) as Point
    await driver.click(x, y)
  }
  const field = (label: string) => find(`field(${quoted(label)})`)
  const arrive = async (act: () => Promise<unknown>): Promise<void> => {
    const mark = String(Math.random())
    await driver.evaluate(`window.leaving = ${quoted(mark)}`)
    await act()
    await until(() => driver.evaluate(`window.leaving !== ${quoted(mark)} && ${hasLoaded}`))
  }
  return {
    goto: (url) => arrive(() => driver.goto(url)),
    reload: () => arrive(() => driver.reload()),
    back: () => arrive(() => driver.back()),
    press: async (button, inRow) => {
      const element = await control('button', button, inRow)
      await arrive(() => press(element))
    },
    follow: async (link) => {
      const element = await control('a', link)
      await arrive(() => press(element))
    },
    click: async (name, inRow) => press(await control(controls, name, inRow)),
    async fill(label, text) {
      const element = await field(label)
      await driver.evaluate(`(${element}).focus(), (${element}).select()`)
      await driver.type(text)
    },
    async select(label, option) {
      const element = await field(label)
      await driver.evaluate(`(() => {
        const field = ${element}
        field.value = [...field.options].find(({ text }) => text === ${quoted(option)}).value
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
      })()`)
    },
    attach: async (label, paths) => driver.upload(await field(label), paths),
    async save(name, file) {
      await press(await control(controls, name))
      const path = join(driver.downloads, file)
      let content = Buffer.alloc(0)
      await until(async () => {
        const before = content.length
        content = readFileSync(path)
        return content.length > 0 && content.length === before
      })
      return content
    },
    async sees(text) {
      let shown = ''
      await until(
        async () => {
          shown = await shownText()
          return typeof text === 'string' ? shown.includes(text) : text.test(shown)
        },
        () => Promise.resolve(`“${String(text)}” is not in: ${shown}`),
      )
    },
    async textOf(selector) {
      const element = await find(`document.querySelector(${quoted(selector)})`)
      return String(await driver.evaluate(`(${element}).textContent`))
    },
    valueOf: async (label) => String(await driver.evaluate(`(${await field(label)}).value`)),
    has: async (name) =>
      Boolean(
        await driver.evaluate(
          `(() => { ${finding}; return Boolean(named(${quoted(controls)}, ${quoted(name)})) })()`,
        ),
      ),
    pasted: () => driver.paste(),
    evaluate: (expression) => driver.evaluate(expression),
  }
}

/** What can be seen, by the name that a screen reader would say. */
const finding = `
const words = (text) => text.trim().replace(/\\s+/g, ' ')
const nameOf = (element) => {
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
  return words(ids.map((id) => document.getElementById(id).innerText).join(' ') || element.getAttribute('aria-label') || element.innerText)
}
const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
const best = (all, name) => all.find((one) => nameOf(one) === name) || all.find((one) => nameOf(one).startsWith(name + ' '))
const named = (selector, name, inRow) => {
  const all = [...document.querySelectorAll(selector)].filter(isShown)
  return best(inRow ? all.filter((one) => one.closest('li')?.innerText.includes(inRow)) : all, name)
}
const middleOf = (element) => {
  element.scrollIntoView({ block: 'center' })
  const { left, top, width, height } = element.getClientRects()[0]
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
  if (!element.contains(document.elementFromPoint(x, y))) throw new Error('something covers ' + nameOf(element))
  return { x, y }
}
const field = (name) => best([...document.querySelectorAll('label')], name)?.control || named('${fields}', name)
`

interface Point {
  readonly x: number
  readonly y: number
}

/** The page has loaded, and has given a field the focus if it does so: browsers do that when they draw it. */
const hasLoaded = `document.readyState === 'complete' && (!document.querySelector('[autofocus]') || document.activeElement !== document.body)`

/** Tries again until it is so. A page that is just being left, or a file that is not there yet, is an error. */
async function until(
  isSo: () => Promise<unknown>,
  why: () => Promise<string> = () => Promise.resolve('the page has not changed'),
): Promise<void> {
  const end = performance.now() + 20_000
  let last: unknown
  while (performance.now() < end) {
    try {
      if (await isSo()) return
    } catch (error) {
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`for 20 seconds ${await why()}`, { cause: last })
}
