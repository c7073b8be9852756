// In the bundle this file replaces the packages with which Fastify compiles validators and serializers, a quarter of the bundle: every
// route of Sotto brings its own.
module.exports = () => () => {
  throw new Error('left out of the bundle: a route needs a validator or serializer of its own')
}
