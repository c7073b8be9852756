// In the bundle this file replaces the packages with which Fastify compiles validators and serializers, a quarter of the bundle: every
// route of Sotto brings its own. It also replaces Node's HTTP/2, which takes time to load and is not served.
module.exports = () => () => {
  throw new Error(
    'left out of the bundle: routes bring their own validators and serializers, and there is no HTTP/2',
  )
}
