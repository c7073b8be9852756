import { lockMicros } from '@sotto/core'
import t from 'tap'
import { formIdOf, startLinks } from '../support/links.ts'

t.test('the page asks for the password, and begins with its text', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ password: 'right' })
  const { body } = await links.visit(path)
  t.match(body, /<input type="password" id="password" name="password" required autocomplete="off"/)
  t.notMatch(body, /autofocus|role="alert"|aria-invalid=/)
})

t.test('a missing password: 401, and nothing is counted', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ password: 'right' })
  for (let time = 0; time < 10; time += 1) {
    const json = await links.openJson(path)
    t.equal(json.statusCode, 401)
    t.same(json.json(), { success: false, version: '1.0', message: 'A password is required.' })
    t.notOk(json.headers['www-authenticate'], 'no browser shows a dialog of its own')
    const page = await links.submit(path, { form_id: formIdOf(await links.visit(path)), password: '' })
    t.equal(page.statusCode, 401)
    t.match(page.body, 'Please enter the password.')
  }
  t.equal((await links.openJson(path, { password: 'right' })).statusCode, 200)
})

t.test('a wrong password: 401, and the page says what to do next', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ password: 'right', note: 'the note' })
  const form_id = formIdOf(await links.visit(path))
  const page = await links.submit(path, { form_id, password: 'wrong-canary' })
  t.equal(page.statusCode, 401)
  t.match(page.body, '<title>Error: That password is not right. – Sotto</title>')
  t.match(page.body, 'role="alert"><a href="#password">That password is not right.</a>')
  t.match(page.body, 'aria-describedby="problem hint" aria-invalid="true" autofocus')
  t.notMatch(page.body, /wrong-canary|the note/)
  t.not(formIdOf(page), form_id)
  const json = await links.openJson(path, { password: 'wrong' })
  t.equal(json.statusCode, 401)
  t.same(json.json(), { success: false, version: '1.0', message: 'The password is not the right one.' })
  t.equal(links.opens(secret), 0)
  t.equal((await links.submit(path, { form_id: formIdOf(page), password: 'right' })).statusCode, 200)
})

t.test('five wrong passwords lock the link for a while, also for the right one', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ password: 'right' })
  for (let wrong = 0; wrong < 5; wrong += 1) {
    t.equal((await links.openJson(path, { password: 'wrong' })).statusCode, 401)
    links.clock.advance(60 * 1_000_000)
  }
  const json = await links.openJson(path, { password: 'right' })
  t.equal(json.statusCode, 429)
  t.equal(json.headers['retry-after'], String(29 * 60))
  const page = await links.submit(path, { password: 'right' })
  t.equal(page.statusCode, 429)
  t.equal(page.headers['retry-after'], String(29 * 60))
  const until = new Date((links.clock.nowMicros() + 29 * 60e6) / 1_000).toISOString()
  t.match(
    page.body,
    new RegExp(
      `You can try again at <time datetime="${until.slice(0, 16)}Z" title="[^"]* UTC" data-hour>${until.slice(11, 16)} UTC</time> \\(in 29 minutes\\)`,
    ),
  )
  t.match(
    page.body,
    `<p data-after="${String(29 * 60)}" hidden><a class="button" href="">Try again</a>`,
    'not before its time',
  )
  t.notMatch(page.body, '<form')
  t.equal(page.headers['x-ratelimit-limit'], undefined, 'a link has no quota')
  links.clock.advance(lockMicros)
  t.equal((await links.openJson(path, { password: 'right' })).statusCode, 200)
})
