/** The badge of each state of a newsletter. */
export const CAMPAIGN_STATE_BADGES = {
  draft: ['quiet', 'Draft'],
  scheduled: ['warn', 'Scheduled'],
  sending: ['warn', 'Sending'],
  paused: ['bad', 'Paused'],
  finished: ['ok', 'Sent'],
  archived: ['quiet', 'Sent'],
} as const
