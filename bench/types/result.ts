// What the type-check run leaves behind for the report.

export interface CheckResult {
  readonly program: string;
  readonly resources: number;
  readonly lines: number;
  readonly types: number;
  readonly instantiations: number;
  readonly memoryKb: number;
  /** Medians over several runs. */
  readonly checkSeconds: number;
  readonly totalSeconds: number;
}

export interface HoverResult {
  readonly symbol: string;
  readonly lines: number;
  readonly text: string;
}

export interface TypesContent {
  readonly checks: readonly CheckResult[];
  readonly hovers: readonly HoverResult[];
}
