import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { bundledPackages } from './bundled-packages.ts';
import { readLock, shippedPackages } from './lock-file.ts';

const componentSchema = z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() });
const bomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(componentSchema),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/** What a bill of materials is cut down to. */
export interface Shipped {
  readonly name: string;
  /** As `zod 4.6.7`. */
  readonly packages: ReadonlySet<string>;
}

/** Everything that is in a package, as CycloneDX in JSON: modules, what is built in, and the runtime. */
export function makeSbom(name: string): string {
  const locked = readLock();
  const packages = [...shippedPackages(locked), ...bundledPackages(locked)];
  const runtime = locked.filter(({ folder }) => folder === 'node_modules/electron');
  const titles = [...packages, ...runtime].map((each) => `${each.name} ${each.version}`);
  const bom = cutSbom(JSON.parse(npmSbom()), { name, packages: new Set(titles) });
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/** npm knows modules and development packages; of the latter only what is built in is shipped. */
export function cutSbom(bom: unknown, { name, packages }: Shipped): z.infer<typeof bomSchema> {
  const whole = bomSchema.parse(bom);
  const components = whole.components.filter((each) => packages.has(`${each.name} ${each.version}`));
  const { component } = whole.metadata;
  const refs = new Set([component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm takes the name of the folder that the checkout lies in.
  const metadata = { ...whole.metadata, component: { ...component, name } };
  return { ...whole, metadata, components, dependencies };
}

function npmSbom(): string {
  return execFileSync(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
}
