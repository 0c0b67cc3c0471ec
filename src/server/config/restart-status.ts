/**
 * The exit status of a site that wants to start again with new settings (EX_TEMPFAIL of sysexits.h). systemd and containers start it again after every
 * exit, `npm start` after this one.
 */
export const RESTART_STATUS = 75
