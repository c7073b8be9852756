import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startDashboard } from '../support/app.ts'
import { formsFor, makeThings, pathOf, pathsOf } from '../support/paths.ts'

/** Of the rules of HTML those that a page broke once, and others of their kind: a validator knows many more. */
const faults: Readonly<Record<string, RegExp>> = {
  'an attribute of HTML on SVG':
    /<(?:svg|use|symbol|path|circle|rect|g)\b[^>]*\s(?:hidden|title|lang|href="[^#])/,
  'a space in an address': /\s(?:href|src|action)="[^"]*\s[^"]*"/,
  'a required list without an empty first choice': /<select[^>]*\srequired[^>]*><option value="[^"]/,
  'an attribute twice': /<\w+(?=[^>]*?\s([\w-]+)=)[^>]*?\s\1="[^"]*"[^>]*\s\1=/,
  'a label inside a label': /<label\b(?:(?!<\/label>)[^])*<label\b/,
  'a block in a paragraph': /<p\b[^>]*>(?:(?!<\/p>)[^])*<(?:div|p|ul|section|form|h[1-6])\b/,
  'a control in a link or a button': /<(a|button)\b[^>]*>(?:(?!<\/\1>)[^])*<(?:a|button|input|select)\b/,
  'an empty id or name': /\s(?:id|name|for)=""/,
}

// Promise (The owner's pages): Every page is valid HTML
t.test('no page breaks a rule of HTML', async (t) => {
  const dashboard = await startDashboard(t, { files: { maxBytes: 1_000, accountMaxBytes: 10_000 } })
  const owner = await dashboard.makeOwner()
  const { accountId } = owner
  const things = await makeThings(dashboard, owner)
  const seen = new Set<string>()
  const examine = (where: string, html: string): void => {
    if (!html.startsWith('<!doctype html>')) return
    seen.add(where)
    const own = html.replace(/<(style|script|textarea)\b([^>]*)>[^]*?<\/\1>/g, '<$1$2></$1>')
    for (const [fault, pattern] of Object.entries(faults)) t.notMatch(own, pattern, `${where}: ${fault}`)
    const ids = [...own.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)
    t.equal(new Set(ids).size, ids.length, `${where}: ids are unique`)
    for (const [, list = ''] of own.matchAll(/\s(?:for|aria-describedby|aria-labelledby)="([^"]*)"/g))
      for (const id of list.split(' ')) t.ok(ids.includes(id), `${where}: ${id} is there`)
  }
  for (const { url, path, methods } of await pathsOf(dashboard, things)) {
    if (!methods.includes('GET')) continue
    for (const as of [owner, undefined]) examine(url, (await dashboard.get(path, { as })).body)
  }
  for (const path of ['/docs', '/unknown', `/secrets/${things.secret}?new=1`])
    examine(path, (await dashboard.get(path, { as: owner })).body)
  for (const [url, fields] of Object.entries(formsFor(things, owner))) {
    if (['/logout', '/settings/delete'].includes(url)) continue
    const empty = Object.fromEntries(Object.keys(fields).map((name) => [name, '']))
    examine(`POST ${url}`, (await dashboard.post(pathOf(url, things), empty, { as: owner })).body)
  }
  const folderId = await dashboard.makeFolder(accountId)
  const secret = await dashboard.makeSecret(accountId, folderId, { password: 'right', openLimit: 3 })
  const request = expectOk(
    await dashboard.sotto.createRequest({ accountId, folderId, title: 'T', text: 'x' }),
  )
  for (const [token, ...forms] of [
    [secret.link.token, { password: 'wrong' }, { password: 'right' }],
    [`r/${request.link.token}`, { note: '' }, { note: 'x' }],
  ] as const) {
    examine(`/${token}`, (await dashboard.get(`/${token}`)).body)
    for (const form of forms)
      examine(`POST ${JSON.stringify(form)}`, (await dashboard.post(`/${token}`, form)).body)
  }
  t.ok(seen.size > 40, `${seen.size} pages`)
})
