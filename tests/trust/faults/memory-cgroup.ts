import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MB = 1024 ** 2
const ROOT = '/sys/fs/cgroup'

/** A memory cgroup with its own limit: a process that exceeds it is killed, as in a unit with MemoryMax or a container. */
export class MemoryGroup {
  readonly #directory: string
  /** The cgroup of this process. */
  readonly #home: string
  readonly #isFirst: boolean

  private constructor(directory: string, home: string, isFirst: boolean) {
    this.#directory = directory
    this.#home = home
    this.#isFirst = isFirst
  }

  /** null where this user may not create one. */
  static make(megabytes: number): MemoryGroup | null {
    const isFirst = existsSync(join(ROOT, 'memory', 'memory.limit_in_bytes'))
    const parent = isFirst ? join(ROOT, 'memory') : ROOT
    const own = readFileSync('/proc/self/cgroup', 'utf8')
    const place = (isFirst ? /^\d+:[^:]*\bmemory\b[^:]*:(.*)$/m : /^0::(.*)$/m).exec(own)?.[1] ?? '/'
    const directory = join(parent, `association-trust-${process.pid}`)
    try {
      if (!isFirst) writeFileSync(join(parent, 'cgroup.subtree_control'), '+memory')
      mkdirSync(directory)
      writeFileSync(join(directory, isFirst ? 'memory.limit_in_bytes' : 'memory.max'), String(megabytes * MB))
      return new MemoryGroup(directory, join(parent, place), isFirst)
    } catch {
      if (existsSync(directory)) rmdirSync(directory)
      return null
    }
  }

  /** Processes started by `act`, and their children, belong to the group. */
  async within<T>(act: () => Promise<T>): Promise<T> {
    const here = String(process.pid)
    writeFileSync(join(this.#directory, 'cgroup.procs'), here)
    try {
      return await act()
    } finally {
      writeFileSync(join(this.#home, 'cgroup.procs'), here)
    }
  }

  /** Memory that cannot be reclaimed: without the page cache, which the kernel drops when needed. */
  get heldMb(): number {
    const stat = this.#read('memory.stat')
    return Number(/^(?:total_rss|anon) (\d+)/m.exec(stat)?.[1] ?? 0) / MB
  }

  /** Peak memory, including the page cache. */
  get peakMb(): number {
    return Number(this.#read(this.#isFirst ? 'memory.max_usage_in_bytes' : 'memory.peak')) / MB
  }

  /** Processes killed because the limit was reached. */
  get killed(): number {
    const text = this.#read(this.#isFirst ? 'memory.oom_control' : 'memory.events')
    return Number(/^oom_kill (\d+)/m.exec(text)?.[1] ?? 0)
  }

  get processes(): number[] {
    return this.#read('cgroup.procs').split('\n').filter(Boolean).map(Number)
  }

  /** Removes it once its processes have exited. */
  remove(): void {
    rmdirSync(this.#directory)
  }

  #read(name: string): string {
    return readFileSync(join(this.#directory, name), 'utf8')
  }
}
