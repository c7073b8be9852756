import t from 'tap'
import { Compile } from 'typebox/schema'
import { envelopeEnd, envelopeSchema, envelopeStart, envelopeText } from '../../src/shared/envelope.ts'
import { statusSchema } from '../../src/service.ts'

// Promise (The JSON API): Successful responses have success, version "1.0" and data
t.test('every successful answer has success, version "1.0" and its data', async (t) => {
  t.equal(envelopeText({ status: 'ready' }), '{"success":true,"version":"1.0","data":{"status":"ready"}}')
  t.ok(Compile(envelopeSchema(statusSchema)).Check(JSON.parse(envelopeText({ status: 'ready' }))))
})

t.test('an answer in parts is the same text', async (t) => {
  t.equal(`${envelopeStart}[${envelopeEnd}`.replace('[', '[]'), envelopeText([]))
})
