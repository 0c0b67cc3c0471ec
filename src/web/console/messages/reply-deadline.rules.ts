const SOON_HOURS = 24

/** The reply deadline for a badge: 'Due in 20 hours', '3 hours late'. */
export function replyDeadline(hoursLeft: number): { tone: 'bad' | 'warn' | 'quiet'; text: string } {
  if (hoursLeft <= 0) return { tone: 'bad', text: hoursLeft === 0 ? 'Due now' : `${formatHours(-hoursLeft)} late` }
  return { tone: hoursLeft <= SOON_HOURS ? 'warn' : 'quiet', text: `Due in ${formatHours(hoursLeft)}` }
}

function formatHours(hours: number): string {
  if (hours >= 72) return `${Math.floor(hours / 24)} days`
  return hours === 1 ? '1 hour' : `${hours} hours`
}
