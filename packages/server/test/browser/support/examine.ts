import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds by all of its rules, including those for best practice. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } }
    const { violations: found } = await loaded.run()
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** How far the page is wider than its window, in CSS pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Controls that are lower than 44 CSS pixels (WCAG 2.2, 2.5.5). */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('button, summary, a, input:not([type=hidden]), select, textarea, label.choice')]
      .filter((element) => !(element.type === 'checkbox') && element.checkVisibility() && element.getBoundingClientRect().height < 44)
      .map((element) => element.outerHTML)`,
  )
}

/** Buttons that are narrower than 44 CSS pixels, the languages below an owner's page among them. */
export function narrowButtons(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('button')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width < 44)
      .map((element) => element.outerHTML)`,
  )
}

/**
 * Boxes stuck to an edge of the window that cover what has the focus, in part or as a whole. Of a text of several lines browsers show the line
 * with the caret: most of it has to be seen.
 */
export function coveredFocus(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const element = document.activeElement
    const box = element.getBoundingClientRect()
    if (element === document.body) return []
    return [...document.querySelectorAll('body *')].flatMap((stuck) => {
      if (!/sticky|fixed/.test(getComputedStyle(stuck).position) || stuck.contains(element)) return []
      const { left, right, top, bottom } = stuck.getBoundingClientRect()
      const height = Math.min(bottom, box.bottom) - Math.max(top, box.top)
      const isBeside = Math.min(right, box.right) - Math.max(left, box.left) < 1
      const most = element.matches('textarea, #note') ? box.height / 2 : 1
      return isBeside || height < most ? [] : [stuck.className + ' covers ' + height + ' pixels of ' + element.outerHTML.slice(0, 60)]
    })
  })()`)
}

/** What reaches beyond the right or left edge of the window, where the page can be scrolled sideways. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const root = document.documentElement
    if (root.scrollWidth <= root.clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 0 && (right > root.clientWidth + 1 || left < -1) && element.checkVisibility() && !element.matches('.skip, .heard, .heard *')
      })
      .map((element) => (element.tagName + '.' + element.className + ' ' + element.textContent.trim().slice(0, 30)))
  })()`)
}

/** Makes all text twice as large (WCAG 2.2, 1.4.4). */
export async function doubleText(page: Page): Promise<void> {
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
}

/** Whether a box of the page sticks to an edge of the window. */
export function hasStuckBox(page: Page): Promise<boolean> {
  return page.evaluate(
    `[...document.querySelectorAll('body *')].some((element) => /sticky|fixed/.test(getComputedStyle(element).position))`,
  )
}
