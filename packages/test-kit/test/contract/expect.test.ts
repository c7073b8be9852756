import { expectErr, expectOk } from '@sotto/test-kit'
import { err, ok, okAsync, type Result } from 'neverthrow'
import t from 'tap'

type Failed = { readonly code: 'busy' } | { readonly code: 'in_use'; readonly rows: number }

const inUse: Result<string, Failed> = err({ code: 'in_use', rows: 3 })
const fine: Result<string, Failed> = ok('value')

t.test('expectOk gives the value of an Ok', async (t) => {
  t.equal(expectOk(fine), 'value')
  t.equal(expectOk(await okAsync(5)), 5)
})

t.test('expectOk of an Err throws an assertion error that shows the error', async (t) => {
  t.throws(() => expectOk(inUse), {
    name: 'AssertionError',
    message: 'the result should be Ok, but is Err {"code":"in_use","rows":3}',
    actual: { code: 'in_use', rows: 3 },
  })
  t.throws(() => expectOk(inUse, 'the retirement'), { message: /^the retirement should be Ok/ })
})

t.test('expectErr gives the error of an Err, with its type when its code is given', async (t) => {
  t.strictSame(expectErr(inUse), { code: 'in_use', rows: 3 })
  t.equal(expectErr(inUse, 'in_use').rows, 3)
  t.equal(expectErr(inUse, 'busy', 'in_use').code, 'in_use')
})

t.test('expectErr of an Ok, or of an Err with another code, throws an assertion error', async (t) => {
  t.throws(() => expectErr(fine), { name: 'AssertionError', message: 'the result should be Err, but is Ok' })
  t.throws(() => expectErr(fine, 'busy', 'in_use'), {
    message: 'the result should be Err busy or in_use, but is Ok',
  })
  t.throws(() => expectErr(inUse, 'busy'), {
    message: 'the result should be Err busy, but is Err {"code":"in_use","rows":3}',
  })
})
