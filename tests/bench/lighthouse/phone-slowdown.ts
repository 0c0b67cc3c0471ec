/** How many times slower than a fast desktop computer the processor of a mid-tier phone is. */
export const USUAL_SLOWDOWN = 4

/**
 * How many times slower than this machine's the processor of a mid-tier phone is: 4, as Lighthouse assumes, or less on a machine that is slower than a fast
 * desktop computer. As Lighthouse's documentation says (docs/throttling.md, "Calibrating the CPU slowdown"), with the figures of its calculator: 4 times from
 * a benchmark index of 1,533 on, 3 times at 1,300, 2 times at 800, not at all at 150.
 */
export function phoneSlowdown(benchmarkIndex: number): number {
  const points = [
    [150, 1],
    [800, 2],
    [1_300, 3],
    [1_533, USUAL_SLOWDOWN],
  ] as const
  const next = points.findIndex(([index]) => benchmarkIndex < index)
  const [above, below] = [points.at(next), points[next - 1]]
  if (next === -1 || !above) return USUAL_SLOWDOWN
  if (!below) return 1
  const share = (benchmarkIndex - below[0]) / (above[0] - below[0])
  return below[1] + share * (above[1] - below[1])
}
