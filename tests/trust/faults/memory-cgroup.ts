import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MB = 1024 ** 2
const ROOT = '/sys/fs/cgroup'

/** A memory cgroup with a limit of its own: what its processes take beyond it ends one of them, as in a unit with MemoryMax or a container. */
export class MemoryGroup {
  readonly #directory: string
  /** Where this process belongs. */
  readonly #home: string
  readonly #isFirst: boolean

  private constructor(directory: string, home: string, isFirst: boolean) {
    this.#directory = directory
    this.#home = home
    this.#isFirst = isFirst
  }

  /** null where this user may not make one. */
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

  /** Processes that are started by `act`, and theirs, belong to the group. */
  async within<T>(act: () => Promise<T>): Promise<T> {
    const here = String(process.pid)
    writeFileSync(join(this.#directory, 'cgroup.procs'), here)
    try {
      return await act()
    } finally {
      writeFileSync(join(this.#home, 'cgroup.procs'), here)
    }
  }

  /** What cannot be taken back: without the pages of files, which the kernel drops when it needs them. */
  get heldMb(): number {
    const stat = this.#read('memory.stat')
    return Number(/^(?:total_rss|anon) (\d+)/m.exec(stat)?.[1] ?? 0) / MB
  }

  /** All that was ever taken at once, also for the pages of files. */
  get peakMb(): number {
    return Number(this.#read(this.#isFirst ? 'memory.max_usage_in_bytes' : 'memory.peak')) / MB
  }

  /** Processes that were ended because the limit was reached. */
  get killed(): number {
    const text = this.#read(this.#isFirst ? 'memory.oom_control' : 'memory.events')
    return Number(/^oom_kill (\d+)/m.exec(text)?.[1] ?? 0)
  }

  get processes(): number[] {
    return this.#read('cgroup.procs').split('\n').filter(Boolean).map(Number)
  }

  /** Once its processes have ended. */
  remove(): void {
    rmdirSync(this.#directory)
  }

  #read(name: string): string {
    return readFileSync(join(this.#directory, name), 'utf8')
  }
}
