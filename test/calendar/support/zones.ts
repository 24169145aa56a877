/**
 * Forty time zones, including those with unusual offset changes. Some change by half an hour or two hours, or at one
 * minute past midnight. Some skip a date, interrupt daylight saving time for a month, or change their standard time.
 */
export const zones = {
  'Africa and Antarctica': [
    'Africa/Cairo',
    'Africa/Casablanca',
    'Africa/El_Aaiun',
    'Africa/Johannesburg',
    'Africa/Juba',
    'Africa/Sao_Tome',
    'Africa/Windhoek',
    'Antarctica/Casey',
    'Antarctica/Macquarie',
    'Antarctica/Troll',
  ],
  'America and the Atlantic': [
    'America/Caracas',
    'America/Havana',
    'America/Los_Angeles',
    'America/Metlakatla',
    'America/New_York',
    'America/Nuuk',
    'America/Santiago',
    'America/Sao_Paulo',
    'America/St_Johns',
    'Atlantic/Azores',
  ],
  'Asia and Europe': [
    'Asia/Amman',
    'Asia/Gaza',
    'Asia/Kathmandu',
    'Asia/Kolkata',
    'Asia/Pyongyang',
    'Asia/Tehran',
    'Europe/Berlin',
    'Europe/Dublin',
    'Europe/Istanbul',
    'Europe/Moscow',
  ],
  'Australia and the Pacific': [
    'Australia/Adelaide',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Auckland',
    'Pacific/Chatham',
    'Pacific/Easter',
    'Pacific/Fiji',
    'Pacific/Kiritimati',
    'Pacific/Kwajalein',
    'Pacific/Tongatapu',
  ],
} as const;
