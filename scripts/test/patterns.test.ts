import t from 'tap'

t.test('in a pattern, an array has as many elements as the value: see patches/', async (t) => {
  t.notMatch([1, 2], [1])
  t.notMatch({ secrets: [1] }, { secrets: [] })
  t.match([{ id: 1, label: 'a' }], [{ id: 1 }], 'an object has any other fields')
})
