# One call with the client that openapi-python-client makes of the document.
import os

from client import AuthenticatedClient
from client.api.jobs import get_jobs_job

client = AuthenticatedClient(base_url=os.environ["CONSOLE"], token=os.environ["TOKEN"])
job = get_jobs_job.sync("invoices", client=client)
print(job.job_name, job.sharding_total_count)
