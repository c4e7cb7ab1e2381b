// One call with the client that openapi-typescript and openapi-fetch make of the document.
import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";

declare const process: { env: Record<string, string> };
const { CONSOLE, TOKEN } = process.env;
const client = createClient<paths>({ baseUrl: CONSOLE, headers: { Authorization: `Bearer ${TOKEN}` } });
const { data, error } = await client.GET("/api/jobs/{job}", { params: { path: { job: "invoices" } } });
if (error) throw new Error(error.message);
console.log(data.jobName, data.shardingTotalCount);
