/** A job that waits for its turn. */
export interface WaitingJob {
  start(): void
  refuse(): void
}

/** The jobs that wait in one queue. Their owners are served in turn, each in order of arrival. */
export class WaitingJobs<Job extends WaitingJob> {
  /** The owners in the order in which they are served. None has an empty set. */
  readonly #owners = new Map<string, Set<Job>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(owner: string, job: Job): void {
    const jobs = this.#owners.get(owner)
    if (jobs === undefined) this.#owners.set(owner, new Set([job]))
    else jobs.add(job)
    this.#size += 1
  }

  /** Takes a job out. One that is not there is no error. */
  remove(owner: string, job: Job): void {
    const jobs = this.#owners.get(owner)
    if (jobs?.delete(job) !== true) return
    this.#size -= 1
    if (jobs.size === 0) this.#owners.delete(owner)
  }

  /** Takes out the first job of the owner whose turn it is. That owner's next turn comes after those of all others. */
  takeNext(): Job | undefined {
    for (const [owner, jobs] of this.#owners) {
      for (const first of jobs) {
        this.remove(owner, first)
        this.#owners.delete(owner)
        if (jobs.size > 0) this.#owners.set(owner, jobs)
        return first
      }
    }
    return undefined
  }

  /**
   * Takes out the latest job of the owner with the most jobs, so that `owner` gets its place; `undefined` unless `owner` has fewer jobs
   * even then.
   */
  takeForPlaceOf(owner: string): Job | undefined {
    let most: [owner: string, jobs: Set<Job>] | undefined
    for (const each of this.#owners) if (each[1].size > (most?.[1].size ?? 0)) most = each
    const own = this.#owners.get(owner)?.size ?? 0
    if (most === undefined || own + 1 >= most[1].size) return undefined
    const latest = [...most[1]].at(-1)
    if (latest !== undefined) this.remove(most[0], latest)
    return latest
  }

  /** All jobs, which stay where they are. */
  all(): readonly Job[] {
    return [...this.#owners.values()].flatMap((jobs) => [...jobs])
  }
}
