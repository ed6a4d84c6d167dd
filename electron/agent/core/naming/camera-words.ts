import { isDateName } from './read-folder-name.ts';

/** What sorts files, says why something was recorded, or names a stream; without blanks and marks. */
const words = new Set(
  'alarm alert animal audio block cam camera car ch channel clip clips continuous copy dav dcim doorbell dvr event export exported exports face files hdalarm hourly idle image images img linecrossing main manual mdalarm media motion motiondetection mov movie mp4record night notification nvr object original package person pet phone rec record recorded recording recordings recentclips ring savedclips schedule sentryclips smartdetect smartdetectzone snapshot snapshots sound still stream sub surveillance tamper test thumb thumbs timelapse timer trigger vehicle vid video videos videoloss whatsapp whatsappvideo xvr zone'.split(
    ' ',
  ),
);
/** `20240106AM`, and the name of a month with or without numbers. */
const halfDay = /^\d{8}[AP]M$/i;
const month =
  /^(?:\d{1,4}[ ._-]*)?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?:[ ._-]*\d{1,4}){0,2}$/i;

/** Whether a text that stands where a camera's name may stand can be one. */
export function isCameraName(text: string | undefined): text is string {
  const name = text?.trim() ?? '';
  return name !== '' && !words.has(name.toLowerCase().replace(/[\s_-]+/g, ''));
}

/** The same for a folder, and for the rest of a name that no system wrote: dates, counters and their like are none. */
export function isFreeCameraName(text: string | undefined): text is string {
  const name = text?.trim() ?? '';
  if (!isCameraName(name) || halfDay.test(name) || month.test(name) || isDateName(name)) return false;
  return (
    /\p{L}/u.test(name) && !/^(?:no|nr|id|event|incident|case|clip|file|part|seq)[ ._#-]*\d+$/i.test(name)
  );
}
