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
