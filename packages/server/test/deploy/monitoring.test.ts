import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import t, { type Test } from 'tap'
import { namesIn, startMeasuredServer } from '../support/metrics.ts'

const deploy = join(import.meta.dirname, '..', '..', '..', '..', 'deploy')
const rulesFile = join(deploy, 'prometheus', 'alerts.yml')
const document = readFileSync(join(deploy, '..', 'docs', 'monitoring.md'), 'utf8')
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const needsPromtool = hasPromtool ? {} : { skip: 'promtool is not installed' }

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const { groups } = parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

const dashboard = JSON.parse(readFileSync(join(deploy, 'grafana', 'dashboard.json'), 'utf8')) as {
  panels: { id: number; title: string; targets: { expr: string }[] }[]
}

/** The names of the metrics in an expression. */
const metricsIn = (expr: string): string[] => expr.match(/\b(?:sotto|nodejs|process)_[a-z0-9_]+/g) ?? []

async function scrapedNames(t: Test): Promise<ReadonlySet<string>> {
  const { scrape } = await startMeasuredServer(t)
  return namesIn(await scrape())
}

// Promise (Installing and operating): Alert rules and dashboard use only existing metrics
t.test('the alert rules use metrics that a server has', async (t) => {
  const names = await scrapedNames(t)
  t.ok(rules.length > 10)
  for (const { alert, expr } of rules) {
    for (const name of metricsIn(expr)) t.ok(names.has(name), `${alert}: ${name}`)
    if (alert !== 'SottoDown') t.not(metricsIn(expr).length, 0, alert)
  }
})

t.test('the dashboard shows metrics that a server has', async (t) => {
  const names = await scrapedNames(t)
  t.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
  for (const { title, targets } of dashboard.panels) {
    for (const { expr } of targets) {
      t.not(metricsIn(expr).length, 0, title)
      for (const name of metricsIn(expr)) t.ok(names.has(name), `${title}: ${name}`)
    }
  }
})

t.test(
  'every metric of a server is described in docs/monitoring.md, and none that it does not have',
  async (t) => {
    const names = [...(await scrapedNames(t))].filter((name) => name.startsWith('sotto_'))
    const described = new Set(/## Metrics\n([\s\S]*?)\n## /.exec(document)?.[1]?.match(/\bsotto_[a-z_]+/g))
    const base = (name: string): string => name.replace(/_(?:bucket|sum|count)$/, '')
    for (const name of names) t.ok(described.has(base(name)), name)
    for (const name of described) t.ok(names.map(base).includes(name), name)
  },
)

t.test('docs/monitoring.md says of every alarm what it means, and of no other', async (t) => {
  const described = [...document.matchAll(/^\| `(Sotto[A-Za-z]+)`/gm)].map(([, name]) => name)
  t.same(
    described,
    rules.map(({ alert }) => alert),
  )
})

t.test('promtool finds nothing wrong with the alert rules', needsPromtool, async (t) => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', rulesFile], {
    encoding: 'utf8',
  })
  t.equal(status, 0, stdout + stderr)
})

t.test('promtool finds nothing wrong with the page', needsPromtool, async (t) => {
  const { scrape } = await startMeasuredServer(t)
  const page = (await scrape()).split('\n').filter((line) => !/\b(?:nodejs|process)_/.test(line))
  const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: page.join('\n'),
    encoding: 'utf8',
  })
  t.equal(stdout + stderr, '')
})
