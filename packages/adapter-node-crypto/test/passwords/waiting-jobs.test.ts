import t from 'tap'
import { WaitingJobs, type WaitingJob } from '../../src/passwords/waiting-jobs.ts'

const jobOf = (): WaitingJob => ({ start: () => undefined, refuse: () => undefined })

t.test('an owner whose jobs are all taken and who comes again has a turn after the others', (t) => {
  const jobs = new WaitingJobs()
  const [first, anns, bobs] = [jobOf(), jobOf(), jobOf()]
  jobs.add('bob', first)
  t.equal(jobs.takeNext(), first)
  jobs.add('ann', anns)
  jobs.add('bob', bobs)
  t.equal(jobs.takeNext(), anns)
  t.equal(jobs.takeNext(), bobs)
  t.equal(jobs.takeNext(), undefined)
  jobs.add('bob', first)
  jobs.remove('bob', first)
  jobs.add('ann', anns)
  jobs.add('bob', bobs)
  t.strictSame(
    [jobs.takeNext(), jobs.takeNext()],
    [anns, bobs],
    'also when its job was not taken in its turn',
  )
  t.end()
})

t.test('a job that was taken out before is no error, and counts once', (t) => {
  const jobs = new WaitingJobs()
  const [one, other] = [jobOf(), jobOf()]
  jobs.add('ann', one)
  jobs.add('ann', other)
  for (let n = 0; n < 2; n += 1) jobs.remove('ann', one)
  jobs.remove('bob', one)
  t.equal(jobs.size, 1)
  t.strictSame(jobs.all(), [other])
  t.equal(jobs.takeNext(), other)
  t.equal(jobs.size, 0)
  t.end()
})

t.test(
  'the latest job of the owner with most makes place, unless that makes the other one the owner with most',
  (t) => {
    const jobs = new WaitingJobs()
    t.equal(jobs.takeForPlaceOf('ann'), undefined, 'there is none')
    const anns = [jobOf(), jobOf(), jobOf()]
    for (const job of anns) jobs.add('ann', job)
    const bobs = jobOf()
    jobs.add('bob', bobs)
    t.equal(jobs.takeForPlaceOf('ann'), undefined)
    t.equal(jobs.takeForPlaceOf('bob'), anns[2])
    t.equal(jobs.takeForPlaceOf('bob'), undefined)
    t.equal(jobs.takeForPlaceOf('eve'), anns[1])
    t.equal(jobs.takeForPlaceOf('eve'), undefined)
    t.strictSame(jobs.all(), [anns[0], bobs])
    t.end()
  },
)
