import t from 'tap'
import {
  areaField,
  badge,
  banner,
  checkbox,
  checksField,
  choicesField,
  emptyState,
  errorSummary,
  inputField,
  partNavigation,
  passwordField,
  selectField,
} from '../src/app-elements.ts'
import { markup } from '../src/html.ts'

t.test('a field has its label, and refers to its hint and its error', async (t) => {
  const { text } = inputField({
    name: 'email',
    label: 'Email',
    hint: 'A hint',
    error: 'Wrong',
    hasFocus: true,
  })
  t.match(text, '<label for="email">Email</label>')
  t.match(text, 'aria-describedby="email-error email-hint" aria-invalid="true" autofocus>')
  t.match(text, '<p class="hint" id="email-hint">A hint</p>')
  t.match(text, '<p class="error" id="email-error">Wrong</p>')
})

t.test('a field without an error is not marked', async (t) => {
  t.notMatch(
    inputField({ name: 'email', label: 'Email' }).text,
    /aria-|class="error"|autofocus|undefined|false/,
  )
})

t.test('everything that was entered is escaped', async (t) => {
  const evil = '"></textarea><script>'
  const parts = { name: 'label', label: evil, hint: evil, error: evil, value: evil }
  for (const { text } of [
    inputField(parts),
    areaField({ ...parts, rows: 3 }),
    passwordField({ ...parts, autocomplete: 'off', show: evil }),
    selectField({ ...parts, choices: [{ value: evil, text: evil }], chosen: evil }),
    checkbox({ name: 'a', label: evil, isChecked: true }),
    banner('error', evil),
    badge(evil, 'bad'),
    emptyState({ heading: evil, lead: evil }),
    partNavigation('tabs', evil, [{ path: evil, text: evil, isCurrent: true }]),
  ])
    t.notMatch(text, /"><\/textarea>|<script>/)
})

// Promise (The owner's pages): After a refusal the page names each faulty field above all, with a link to it
t.test('a summary names every field with a fault, and leads to its first control', async (t) => {
  const faulty = { error: 'Wrong & <b>', hasFocus: true }
  const fields = [
    inputField({ name: 'email', id: 'the-email', label: 'Email', hint: 'hint', ...faulty }),
    areaField({ name: 'note', label: markup`Text <span>(optional)</span>`, rows: 3, ...faulty }),
    passwordField({ name: 'password', label: 'Password', autocomplete: 'off', show: 'Show', ...faulty }),
    selectField({ name: 'folder', label: 'Folder', choices: [], ...faulty }),
    choicesField({ name: 'opens', label: 'Opens', choices: [{ value: '1', text: 'once' }], ...faulty }),
    checksField({ label: 'Allowed to', checks: [{ name: 'read', label: 'Read' }], ...faulty }),
    inputField({ name: 'other', label: 'Other' }),
  ]
  const main = markup`${fields}`
  const { text = '' } = errorSummary(main, 'Please correct:') ?? {}
  const links = [...text.matchAll(/<li><a href="#([^"]+)">([^<]+)<\/a> Wrong &amp; &lt;b&gt;<\/li>/g)]
  const expected = ['Email', 'Text', 'Password', 'Folder', 'Opens', 'Allowed to']
  t.same(
    links.map(([, , label]) => label),
    expected,
  )
  for (const [, id = ''] of links)
    t.match(
      main.text,
      new RegExp(`<(?:input|select|textarea)[^>]* id="${id}"[^>]*aria-invalid="true" autofocus>`),
      id,
    )
  t.match(text, 'role="alert"><p>Please correct:</p>')
  t.equal(errorSummary(fields[6]!, 'Please correct:'), undefined, 'none without a fault')
})

t.test('a text keeps its first line feed', async (t) => {
  t.match(areaField({ name: 'note', label: 'Note', rows: 3, value: '\na' }).text, />\n\na<\/textarea>/)
})

t.test('errors are read immediately, other messages in their turn', async (t) => {
  t.match(banner('error', 'a').text, 'role="alert"')
  t.match(banner('success', 'a').text, 'role="status"')
})

t.test('the current page is marked in the navigation', async (t) => {
  const items = [
    { path: '/a', text: 'A', isCurrent: false },
    { path: '/b', text: 'B', isCurrent: true },
  ]
  const { text } = partNavigation('tabs', 'Parts', items)
  t.match(text, '<li><a href="/a">A</a></li><li><a href="/b" aria-current="page">B</a></li>')
})

t.test('a password that was entered is not sent back', async (t) => {
  const parts = {
    name: 'password',
    label: 'Password',
    value: 'secret',
    autocomplete: 'off',
    show: 'Show',
  } as const
  t.notMatch(passwordField(parts).text, 'secret')
})
