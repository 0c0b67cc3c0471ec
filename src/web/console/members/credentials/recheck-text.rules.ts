/** When confirmed credentials are due again, by the setting `membership.recheckMonths`. */
export function whenDueAgain(recheckMonths: number): string {
  return recheckMonths === 0
    ? 'Only training that has ended is checked again'
    : `Confirmed credentials are due again in ${interval(recheckMonths)}`
}

/** When training that was confirmed with a new end is due again. */
export function nextTrainingRecheck(recheckMonths: number): string {
  return recheckMonths === 0
    ? 'The next recheck is due when the training ends.'
    : `The next recheck is due in ${interval(recheckMonths)}, or when the training ends if that is sooner.`
}

function interval(months: number): string {
  const [unit, count] = months % 12 === 0 ? ['year', months / 12] : ['month', months]
  return count === 1 ? `a ${unit}` : `${count} ${unit}s`
}
