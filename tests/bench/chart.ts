import type { Finding } from './row.ts'
import { isReached, shareUsed, showReached } from './statistics.ts'

const ROW_HEIGHT = 22
const LABEL_WIDTH = 430
const FIGURE_AT = 320
const BAR_WIDTH = 480
const WIDTH = LABEL_WIDTH + BAR_WIDTH + 20
const HEAD = 30
const FOOT = 12

/**
 * One bar per finding: the used share of the allowed amount; the line is the target. Shorter is better, for minimums and maximums alike. The colors are
 * readable on white and on black.
 */
export function drawChart(findings: readonly Finding[]): string {
  const measured = findings.filter(({ rounds }) => rounds.length > 0)
  const height = HEAD + measured.length * ROW_HEIGHT + FOOT
  const lineAt = LABEL_WIDTH + FIGURE_AT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>What was reached beside the figure to reach</title>
<text x="${LABEL_WIDTH}" y="14" fill="#7d7d7d">shorter is better</text>
<text x="${lineAt}" y="14" fill="#7d7d7d" text-anchor="middle">figure to reach</text>
${measured.map(drawBar).join('\n')}
<line x1="${lineAt}" x2="${lineAt}" y1="20" y2="${height - FOOT}" stroke="#7d7d7d" stroke-dasharray="3 3"/>
</svg>
`
}

function drawBar(finding: Finding, at: number): string {
  const y = HEAD + at * ROW_HEIGHT
  const share = shareUsed(finding)
  const width = Number.isFinite(share)
    ? Math.min(Math.max(share * FIGURE_AT, 2), BAR_WIDTH)
    : isReached(finding)
      ? 2
      : BAR_WIDTH
  const color = isReached(finding) ? '#2f8f7f' : '#c8553d'
  return `<text x="${LABEL_WIDTH - 8}" y="${y + 14}" fill="#7d7d7d" text-anchor="end">${escape(finding.what)}</text>
<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${Math.round(width)}" height="${ROW_HEIGHT - 7}" rx="2" fill="${color}"><title>${escape(showReached(finding))}</title></rect>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
