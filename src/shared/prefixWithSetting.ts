/** Opens an engine; where it cannot be had, the error begins with the setting that names it. */
export async function prefixWithSetting<Opened>(setting: string, opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (error) {
    throw new Error(
      `${setting} names no engine that can be used. ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
