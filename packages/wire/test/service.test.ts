import t from 'tap'
import { Compile } from 'typebox/schema'
import { serviceSchema, toWireService } from '../src/service.ts'

t.test('a service says where it is described', async (t) => {
  const wire = toWireService('https://api.example.org/docs', 'https://api.example.org/openapi.json')
  t.ok(Compile(serviceSchema).Check(wire))
  t.same(Object.keys(wire), Object.keys(serviceSchema.properties))
})
