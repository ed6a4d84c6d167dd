import { z } from 'zod';
import { exportPreviewSchema, explanationSchema } from '../../domain/explanation.ts';
import { givenDetailsSchema, incidentChangesSchema } from '../../domain/incident-edit.ts';
import { settingLimits, watchUnits } from '../../domain/settings.ts';
import { defineCall } from '../envelope.ts';

/** Longest path that Linux accepts, bytes; Windows accepts more characters than anyone uses. */
const MAX_PATH_LENGTH = 4096;
/** Most folders that one call sends. */
const MAX_FOLDERS = 50;

/** Most programs that one call confirms. */
const MAX_PROGRAMS = 20;

/** Absolute on any system; the agent decides by its own. No system accepts a NUL. */
const folderPath = z
  .string()
  .max(MAX_PATH_LENGTH)
  .refine((path) => /^(\/|[A-Za-z]:[\\/]|\\\\[^\\])/.test(path), 'must be an absolute path')
  .refine((path) => !path.includes('\0'), 'must not contain a NUL character');

/** A folder that may be opened further or chosen. */
const folderEntrySchema = z
  .object({
    name: z.string(),
    path: z.string(),
    /** Missing when it did not answer in time. */
    isReadable: z.boolean().exactOptional(),
  })
  .readonly();

/** Folders to choose from: those of `folder`, or places to start from when there is none. */
export const folderListSchema = z
  .object({
    folder: z.string().exactOptional(),
    /** The folder above; missing at the top. */
    parent: z.string().exactOptional(),
    folders: z.array(folderEntrySchema).readonly(),
    /** True when there are more than are listed. */
    isCut: z.boolean(),
    /** It has nothing in it, not even hidden files. */
    isEmpty: z.boolean().exactOptional(),
  })
  .readonly();
/** See `folderListSchema`. */
export type FolderList = z.infer<typeof folderListSchema>;

const unitQuestionSchema = z.strictObject({
  path: folderPath,
  unit: z.enum(watchUnits),
  windowMinutes: z
    .number()
    .min(settingLimits.watch.windowMinutes.least)
    .max(settingLimits.watch.windowMinutes.most),
});
/** A watched folder, and what one incident in it would be. */
export type UnitQuestion = z.infer<typeof unitQuestionSchema>;

const unitPreviewSchema = z
  .object({
    /** Incidents that its new files make up with the current unit, and with the other one. */
    now: z.int().min(0),
    later: z.int().min(0),
    /** Incidents that already have files in it: they stay as they are. */
    inQueue: z.int().min(0),
    /** Clips outside any folder that would not be sent. */
    looseLater: z.int().min(0),
    /** Places of the first incidents that would be new. */
    examples: z.array(z.string()).readonly(),
    /** Not everything was checked. */
    isCut: z.literal(true).exactOptional(),
  })
  .readonly();
/** What another unit would change. */
export type UnitPreview = z.infer<typeof unitPreviewSchema>;

/** What a person does with incidents: changing their details, creating them from folders, and what belongs to both. */
export const incidentCalls = {
  /**
   * Changes an incident before or after its upload; the service gets what changed (service.md gap 13). Errors:
   * NOT_FOUND; CALL_INPUT for clearing a time or position that the service has and cannot be made to forget.
   */
  'incidents.edit': defineCall(
    z.strictObject({ incidentId: z.string(), changes: incidentChangesSchema }),
    z.object({ version: z.int().min(1) }).readonly(),
  ),
  /** Applies the desk's current list of cameras to an incident that was sent. Errors: NOT_FOUND. */
  'incidents.applyCameras': defineCall(
    z.strictObject({ incidentId: z.string() }),
    z.object({ changed: z.int().min(0) }).readonly(),
  ),
  /** What sending a folder would result in. Errors: the ROOT_ codes, FOLDER_NO_ACCESS. */
  'exports.preview': defineCall(z.strictObject({ folder: folderPath }), exportPreviewSchema),
  /**
   * Why an incident's folder is read the way it is, and where the queue has other values. Errors: NOT_FOUND; those of
   * the preview.
   */
  'exports.explain': defineCall(z.strictObject({ incidentId: z.string() }), explanationSchema),
  /**
   * Sends folders, each as one incident; if one is refused, none is sent. Errors: those of the preview; CALL_INPUT for
   * programs that the settings of the folder do not allow.
   */
  'exports.push': defineCall(
    z.strictObject({
      folders: z.array(folderPath).min(1).max(MAX_FOLDERS).readonly(),
      /** Also send files of unknown types and parts of projects. */
      asEvidence: z.boolean().exactOptional(),
      /** In watched folders, each loose file is sent as an incident; of a listed loose export, only that one. */
      loose: z.boolean().exactOptional(),
      /** Programs that a person confirmed, as paths inside the folder. */
      programs: z.array(z.string().max(MAX_PATH_LENGTH)).max(MAX_PROGRAMS).readonly().exactOptional(),
      ...givenDetailsSchema,
    }),
    z.object({ folders: z.array(z.string()).readonly() }).readonly(),
  ),
  /**
   * What another unit would change about a watched folder, before it is saved. Errors: ROOT_MISSING for a folder that
   * is not watched, and the ROOT_ codes.
   */
  'exports.previewUnits': defineCall(unitQuestionSchema, unitPreviewSchema),
  /** Lists folders, for hosts without a system dialog. Errors: the ROOT_ codes, FOLDER_NO_ACCESS. */
  'folders.list': defineCall(z.strictObject({ path: folderPath.exactOptional() }), folderListSchema),
};
