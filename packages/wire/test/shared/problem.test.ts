import t from 'tap'
import { Compile } from 'typebox/schema'
import { problemSchema, problemText } from '../../src/shared/problem.ts'

const fits = (text: string): boolean => Compile(problemSchema).Check(JSON.parse(text))

t.test('a problem has a message, and errors only when fields are invalid', async (t) => {
  const plain = problemText({ message: 'Server error.' })
  t.equal(plain, '{"success":false,"version":"1.0","message":"Server error."}')
  const withFields = problemText({
    message: 'Some fields are not valid.',
    errors: { label: ['is required'] },
  })
  t.equal(
    withFields,
    '{"success":false,"version":"1.0","message":"Some fields are not valid.","errors":{"label":["is required"]}}',
  )
  t.ok(fits(plain) && fits(withFields))
})

t.test('the schema refuses what is not a problem', async (t) => {
  t.notOk(fits('{"success":true,"version":"1.0","message":"m"}'))
  t.notOk(fits('{"success":false,"version":"1.0"}'))
  t.notOk(fits('{"success":false,"version":"1.0","message":"m","errors":{"label":[]}}'))
  t.notOk(fits('{"success":false,"version":"1.0","message":"m","errors":{"Label!":["x"]}}'))
})
