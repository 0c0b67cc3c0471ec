/**
 * Decodes a text file saved by a spreadsheet: UTF-8 with or without a byte order mark, UTF-16 ("Unicode text") or Windows-1252.
 * @throws Error with a message for the user, for a workbook or a file that is not text
 */
export function decodeSpreadsheet(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new Error('The file is empty.')
  if (isWorkbook(bytes)) {
    throw new Error('This is a workbook, not a CSV file. Open it in your spreadsheet app and save it as "CSV UTF-8".')
  }
  const text = decode(bytes)
  if (text.includes('\0'))
    throw new Error('This is not a text file. Save the list as "CSV UTF-8" and choose that file.')
  return text
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Checks the signatures of .xlsx and .ods files (ZIP) and of old .xls files. */
function isWorkbook([first, second]: Uint8Array): boolean {
  return (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)
}
