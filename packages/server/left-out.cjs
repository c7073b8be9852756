// In the bundle this stands for what Fastify loads to make validators and serializers with, a quarter of the bundle: every route of
// Sotto has its own.
module.exports = () => () => {
  throw new Error('left out of the bundle: a route needs a validator or serializer of its own')
}
